/** A folder that a PHP site may write; visitors see a part of it. */
export type WritableFolder = {
  /** The prefix of the site's paths that lead there. */
  prefix: string
  /** Its path in the data folder of the site. */
  folder: string
  /** Its path inside the sandbox. */
  sandboxPath: string
  /** True if the file at this path in the folder may run as a program. */
  mayRun(path: string): boolean
}

/** Where the files of a PHP site lie inside its sandbox. */
export type PhpLayout = {
  /** The files of the release, read-only. */
  app: string
  writable: WritableFolder
}

const app = '/app'

export const phpLayouts = {
  php: {
    app,
    writable: {
      prefix: 'uploads/',
      folder: 'uploads',
      sandboxPath: '/data/uploads',
      // Uploads of visitors are never run.
      mayRun: () => false,
    },
  },
  wordpress: {
    app,
    writable: {
      prefix: 'wp-content/',
      folder: 'wp-content',
      sandboxPath: '/data/wp-content',
      // Plugins and themes are programs; uploads are not.
      mayRun: (path: string) => /^(?:plugins|themes)\//.test(path),
    },
  },
} satisfies Record<string, PhpLayout>

export type PhpRuntime = keyof typeof phpLayouts

export const phpRuntimes = Object.keys(phpLayouts) as readonly PhpRuntime[]
