/** The user can choose other files, but not try these again. */
export class UnsuitableFiles extends Error {}
