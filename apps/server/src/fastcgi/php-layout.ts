/** The folder that a PHP site may write, of which visitors see a part. */
export type WritableFolder = {
  /** The paths of the site that lead there. */
  prefix: string
  /** Its path in the data folder of the site. */
  folder: string
  /** Its path inside the sandbox. */
  inside: string
  /** True for files, by their path in the folder, that may run as programs. */
  mayRun(path: string): boolean
}

/** Where the files of a PHP site lie inside its sandbox. */
export type PhpLayout = {
  /** The files of the release, read-only. */
  app: string
  writable: WritableFolder
}

const app = '/app'

/** The runtimes whose sites are PHP programs. */
export const phpLayouts = {
  php: {
    app,
    writable: {
      prefix: 'uploads/',
      folder: 'uploads',
      inside: '/data/uploads',
      // Uploads of visitors are never run.
      mayRun: () => false,
    },
  },
  wordpress: {
    app,
    writable: {
      prefix: 'wp-content/',
      folder: 'wp-content',
      inside: '/data/wp-content',
      // Plugins and themes are programs; uploads are not.
      mayRun: (path: string) => /^(?:plugins|themes)\//.test(path),
    },
  },
} satisfies Record<string, PhpLayout>

export type PhpRuntime = keyof typeof phpLayouts

export const phpRuntimes = Object.keys(phpLayouts) as readonly PhpRuntime[]
