/** Files that the user chose, or entries of a drop, which may be folders. */
export type ChosenItems = readonly { file: File | null; entry: FileSystemEntry | null }[]

/** The items of a drop. Call it in the event's handler: the browser clears them afterwards. */
export const itemsOfDrop = (items: Iterable<DataTransferItem>): ChosenItems =>
  [...items].map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry() }))

export const itemsOfInput = (files: Iterable<File>): ChosenItems =>
  [...files].map((file) => ({ file, entry: null }))
