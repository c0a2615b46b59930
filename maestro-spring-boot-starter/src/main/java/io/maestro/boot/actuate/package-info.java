/** What an application with Spring Boot's actuator shows of Maestro, and lets operators do. */
@NullMarked
package io.maestro.boot.actuate;

import org.jspecify.annotations.NullMarked;
