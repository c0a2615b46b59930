package io.maestro.testing.fabric;

import io.maestro.testing.Prerequisite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Brings a {@link Fabric} up for a test class; see {@link WithFabric}. */
final class FabricExtension implements BeforeAllCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(FabricExtension.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    WithFabric wanted = context.getRequiredTestClass().getAnnotation(WithFabric.class);
    Prerequisite.requireAll(
        Prerequisite.linux(),
        Prerequisite.root(),
        Prerequisite.command("ip"),
        Prerequisite.command("tc"),
        Prerequisite.of(
            "a kernel with BTF",
            "use Linux 6.2 or newer with /sys/kernel/btf/vmlinux",
            () -> Files.exists(Path.of("/sys/kernel/btf/vmlinux"))));
    Stream.of(wanted.commands()).map(Prerequisite::command).forEach(Prerequisite::require);
    Fabric.clean();
    // The store closes what it holds after the last test of the class, whatever happened in them.
    context.getStore(NAMESPACE).put(Fabric.class, Fabric.up(options(wanted)));
  }

  private static FabricOptions options(WithFabric wanted) {
    return new FabricOptions(
        wanted.hosts(),
        wanted.leaves(),
        wanted.spines(),
        wanted.aliases(),
        IntStream.of(wanted.mbit()).boxed().toList(),
        wanted.mtuBytes(),
        FabricOptions.DEFAULT.ecnKb(),
        wanted.seed(),
        FabricOptions.DEFAULT.macvlan());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Fabric.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getStore(NAMESPACE).get(Fabric.class, Fabric.class);
  }
}
