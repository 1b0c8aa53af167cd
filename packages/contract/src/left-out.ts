/**
 * Names of files and folders that a chosen folder has beside its website: history, packages,
 * secrets. They are not deployed; an archive is deployed as it is. In the syntax of a `.gitignore`.
 */
export const leftOutNames = [
  '.git',
  'node_modules',
  '.slipway.json',
  '.slipwayignore',
  '.gitignore',
  '.env',
  '.env.*',
  '.DS_Store',
] as const

/** True for a path of a folder that is not deployed. */
export const isLeftOut = (path: string) =>
  path
    .split('/')
    .some((part) => leftOutNames.some((name) => name === part) || part.startsWith('.env.'))
