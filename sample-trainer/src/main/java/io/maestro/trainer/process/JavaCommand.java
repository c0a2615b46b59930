package io.maestro.trainer.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs a class of this program in another JVM of the same kind. */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * The same Java, class path and program.
   *
   * @param mainClass what to run; ignored when this program was started from its executable jar,
   *     which knows its own
   * @param jvmOptions options of the JVM
   * @param arguments arguments of the program
   */
  public static List<String> of(
      Class<?> mainClass, List<String> jvmOptions, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    String classPath = System.getProperty("java.class.path");
    if (isExecutableJar(mainClass)) {
      command.addAll(List.of("-jar", classPath));
    } else {
      command.addAll(List.of("-cp", classPath, mainClass.getName()));
    }
    command.addAll(arguments);
    return command;
  }

  /** Spring Boot's executable jar keeps its classes where only its own loader finds them. */
  private static boolean isExecutableJar(Class<?> mainClass) {
    return !mainClass.getClassLoader().equals(ClassLoader.getSystemClassLoader());
  }
}
