/** Drives a real browser over its DevTools protocol, as a user would with mouse and keyboard. */
package io.maestro.trainer.browser;
