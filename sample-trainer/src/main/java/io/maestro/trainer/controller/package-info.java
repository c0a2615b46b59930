/** A controller of the paths of many processes, and how processes talk to it. */
@NullMarked
package io.maestro.trainer.controller;

import org.jspecify.annotations.NullMarked;
