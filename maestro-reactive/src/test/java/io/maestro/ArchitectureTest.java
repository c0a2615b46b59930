package io.maestro;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;

/** The layout of the library and the rules of its style that compiled classes can show. */
@AnalyzeClasses(packages = "io.maestro", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String CLOCK = "io.maestro.verbs.SystemClock";

  @ArchTest
  static final ArchRule importsPointDownOnly =
      classes().should(Floors.importOnlyFromLowerFloors()).allowEmptyShould(true);

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().assignedFrom(byPackage()).should().beFreeOfCycles().allowEmptyShould(true);

  @ArchTest
  static final ArchRule theLowestFloorStandsOnTheJdkReactorAndJspecifyOnly =
      noClasses()
          .that()
          .resideInAnyPackage("io.maestro.api..", "io.maestro.verbs", "io.maestro.verbs.ffi..")
          .should()
          .dependOnClassesThat(
              DescribedPredicate.not(
                  resideInAnyPackage(
                      "java..",
                      "javax.net.ssl..",
                      "reactor..",
                      "org.reactivestreams..",
                      "org.jspecify..",
                      "io.maestro..")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nothingAboveTheProvidersNamesOne =
      noClasses()
          .that()
          .resideInAnyPackage("io.maestro.session..", "io.maestro.collective..", "io.maestro.ps..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.maestro.verbs.iwarp..", "io.maestro.verbs.disni..", "io.maestro.verbs.sim..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule micrometerIsNeededByTheMetricsOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.maestro.metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.maestro.metrics..", "io.micrometer..", "io.github.resilience4j.micrometer..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule onlyTheClockReadsTheClock =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(CLOCK)
          .should()
          .accessTargetWhere(
              calls(System.class, "nanoTime|currentTimeMillis")
                  .or(calls(Instant.class, "now"))
                  .or(calls(Clock.class, "system.*|tick.*")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nothingBlocksOnAPublisher =
      noClasses()
          .should()
          .accessTargetWhere(calls(Publisher.class, "block.*|toIterable|toStream"))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nothingSleeps =
      noClasses()
          .should()
          .accessTargetWhere(calls(Thread.class, "sleep").or(calls(TimeUnit.class, "sleep")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nativeDowncallsHaveOnePlace =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.maestro.verbs.ffi..")
          .should()
          .dependOnClassesThat(assignableTo(Linker.class).or(assignableTo(SymbolLookup.class)))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule pathPolicyDoesNoIoAndHasNoThreads =
      noClasses()
          .that()
          .resideInAPackage("io.maestro.path..")
          .should()
          .dependOnClassesThat(
              nameMatching(
                      "java\\.(nio\\.(channels|file)\\..*|io\\.File.*|lang\\.Thread.*"
                          + "|net\\.((?!InetSocketAddress)\\w*Socket\\w*|http\\..*)"
                          + "|util\\.Timer.*|util\\.concurrent\\.(\\w*Execut\\w*|ForkJoin\\w*"
                          + "|ThreadFactory|CompletableFuture))"
                          + "|reactor\\.core\\.scheduler\\..*")
                  .forSubtype())
          .allowEmptyShould(true);

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> type, String methods) {
    return target(owner(assignableTo(type)))
        .and(target(nameMatching(methods)))
        .as("%s.(%s)", type.getSimpleName(), methods);
  }

  private static SliceAssignment byPackage() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return SliceIdentifier.of(type.getPackageName());
      }

      @Override
      public String getDescription() {
        return "every package";
      }
    };
  }
}
