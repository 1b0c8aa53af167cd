import * as store from './remains.store.ts'

/**
 * The deleted projects whose rows in other tables are not deleted yet. Call `remove` last: a
 * project without its row in `project_creations` is not listed again.
 */
export const list = store.listWithCreation

/** Removes the steps of a deleted project's creation, and its moves. */
export const remove = store.removeCreationAndMoves
