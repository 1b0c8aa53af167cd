import * as store from './remains.store.ts'

/**
 * The deleted projects that still have remains in the database. `remove` must be the last removal
 * of a project's remains: it removes the project from this list.
 */
export const list = store.listWithCreation

/** Removes the steps of a deleted project's creation, and its moves. */
export const remove = store.removeCreationAndMoves
