import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Opens a site's log for its process. The caller closes it. */
export const openSiteLog = (path: string): Promise<FileHandle> =>
  // O_APPEND: after a cut the site writes at the new end.
  open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
