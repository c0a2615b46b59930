package io.maestro;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** The floors of the library: which package stands on which. */
final class Floors {
  private static final Map<String, Integer> FLOOR_OF_PACKAGE =
      Map.ofEntries(
          Map.entry("io.maestro", 4),
          Map.entry("io.maestro.collective", 3),
          Map.entry("io.maestro.ps", 3),
          Map.entry("io.maestro.session", 2),
          Map.entry("io.maestro.route", 2),
          Map.entry("io.maestro.path", 1),
          Map.entry("io.maestro.net", 1),
          Map.entry("io.maestro.metrics", 1),
          Map.entry("io.maestro.control", 1),
          Map.entry("io.maestro.verbs.iwarp", 1),
          Map.entry("io.maestro.verbs.disni", 1),
          Map.entry("io.maestro.verbs.sim", 1),
          Map.entry("io.maestro.verbs", 0),
          Map.entry("io.maestro.verbs.ffi", 0),
          Map.entry("io.maestro.api", 0));

  private record Room(String name, int floor) {}

  private Floors() {}

  static ArchCondition<JavaClass> importOnlyFromLowerFloors() {
    return new ArchCondition<>("import only from lower floors, never from siblings") {
      @Override
      public void check(JavaClass importer, ConditionEvents events) {
        Optional<Room> room = roomOf(importer);
        if (room.isEmpty()) {
          events.add(
              SimpleConditionEvent.violated(importer, importer.getName() + " is on no floor"));
          return;
        }
        importer.getDirectDependenciesFromSelf().stream()
            .filter(dependency -> !isAllowed(room.get(), dependency))
            .forEach(
                dependency ->
                    events.add(
                        SimpleConditionEvent.violated(dependency, dependency.getDescription())));
      }
    };
  }

  private static boolean isAllowed(Room importer, Dependency dependency) {
    return roomOf(dependency.getTargetClass().getBaseComponentType())
        .map(room -> room.equals(importer) || room.floor() < importer.floor())
        .orElse(true);
  }

  /** The longest matching package wins; the two root packages stand for themselves alone. */
  private static Optional<Room> roomOf(JavaClass type) {
    String name = type.getPackageName();
    return FLOOR_OF_PACKAGE.entrySet().stream()
        .filter(entry -> isIn(name, entry.getKey()))
        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(entry -> new Room(entry.getKey(), entry.getValue()));
  }

  private static boolean isIn(String name, String room) {
    boolean standsAlone = room.equals("io.maestro") || room.equals("io.maestro.verbs");
    return name.equals(room) || (!standsAlone && name.startsWith(room + "."));
  }
}
