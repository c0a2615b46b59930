package io.maestro.session;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ProtectionDomain;
import reactor.core.scheduler.Scheduler;

/**
 * What the parts of one session share.
 *
 * @param loop the session's loop
 * @param parameters what both sides agreed on
 * @param peer the peer's name and address, for messages to people
 * @param observed brings an observer what happens
 * @param domain the session's protection domain: no key of another session works in it
 * @param registrations regions of the user that are in use
 * @param budget memory that received messages may hold
 * @param pool where that memory comes from
 * @param delivery where the user's code runs
 * @param blocking where what takes long is done
 */
record SessionContext(
    EventLoop loop,
    SessionParameters parameters,
    String peer,
    Observed observed,
    ProtectionDomain domain,
    Registrations registrations,
    MemoryBudget budget,
    RegionPool pool,
    Scheduler delivery,
    Scheduler blocking) {}
