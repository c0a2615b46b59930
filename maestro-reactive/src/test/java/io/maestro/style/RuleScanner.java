package io.maestro.style;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/** Looks for what the style forbids in one parsed file. */
final class RuleScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
  private static final Pattern VAGUE_NAME = Pattern.compile(".*(Impl|Manager|Util|Utils|Helper)");
  private static final Pattern SLEEP = Pattern.compile("(.*\\.)?(Thread|TimeUnit\\.\\w+)\\.sleep");

  /**
   * The fields of an RDMA work request, as verbs have them: passed one by one, because posting
   * allocates nothing.
   */
  private static final Set<String> VERBS = Set.of("QueuePair.postWrite", "QueuePair.postRead");

  private final Trees trees;
  private final Rules rules;
  private final Consumer<String> violations;

  RuleScanner(Trees trees, Rules rules, Consumer<String> violations) {
    this.trees = trees;
    this.rules = rules;
    this.violations = violations;
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
    String name = type.getSimpleName().toString();
    if (VAGUE_NAME.matcher(name).matches()) {
      report(type, "the name " + name + " does not say what the class is");
    }
    if (rules.javadocOnPublicTypes() && isPublic(type) && hasNoJavadoc()) {
      report(type, "public type " + name + " has no Javadoc");
    }
    return super.visitClass(type, null);
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
    long lines = lines(method);
    if (lines > rules.methodLines()) {
      report(method, method.getName() + " has " + lines + " lines");
    }
    int parameters = method.getParameters().size();
    if (parameters > rules.parameters() && !hasFixedSignature(method)) {
      report(method, method.getName() + " has " + parameters + " parameters");
    }
    return super.visitMethod(method, null);
  }

  @Override
  public @Nullable Void visitMemberSelect(MemberSelectTree select, @Nullable Void nothing) {
    rejectSleep(select, select.toString());
    return super.visitMemberSelect(select, null);
  }

  @Override
  public @Nullable Void visitMemberReference(
      MemberReferenceTree reference, @Nullable Void nothing) {
    rejectSleep(reference, reference.toString().replace("::", "."));
    return super.visitMemberReference(reference, null);
  }

  private void rejectSleep(Tree tree, String text) {
    if (SLEEP.matcher(text).matches()) {
      report(tree, "sleeps: wait for the event, or move virtual time");
    }
  }

  private static boolean isPublic(ClassTree type) {
    return type.getModifiers().getFlags().contains(Modifier.PUBLIC);
  }

  private boolean hasNoJavadoc() {
    return trees.getDocComment(getCurrentPath()) == null;
  }

  /** Its parameters follow from a record, from the overridden method, or from the verbs. */
  private boolean hasFixedSignature(MethodTree method) {
    ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
    boolean inRecord = owner.getKind() == Tree.Kind.RECORD;
    boolean overrides =
        method.getModifiers().getAnnotations().stream()
            .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    return overrides
        || (inRecord && method.getName().contentEquals("<init>"))
        || VERBS.contains(owner.getSimpleName() + "." + method.getName());
  }

  private long lines(Tree tree) {
    CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
    SourcePositions positions = trees.getSourcePositions();
    LineMap map = unit.getLineMap();
    return map.getLineNumber(positions.getEndPosition(unit, tree))
        - map.getLineNumber(positions.getStartPosition(unit, tree))
        + 1;
  }

  private void report(Tree tree, String violation) {
    CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
    long start = trees.getSourcePositions().getStartPosition(unit, tree);
    violations.accept(
        "%s:%d: %s"
            .formatted(
                unit.getSourceFile().getName(), unit.getLineMap().getLineNumber(start), violation));
  }
}
