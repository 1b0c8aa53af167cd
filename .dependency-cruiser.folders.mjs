import rules from './.dependency-cruiser.mjs'

// The rule about rings between folders. It has a file of its own because a rule about folders cannot
// leave files out, and these do not count: schemas, the base layer below all modules, and tests.

const uncounted = ['\\.schema\\.ts$', '\\.(spec|fixture)\\.tsx?$', '/testing/']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-rings-of-folders',
      comment:
        'Folders that import each other in a ring are one big folder: none of them can be read, tested or replaced alone. Imports of types count.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^apps/(console|server)/src/' },
      to: { circular: true },
    },
  ],
  options: {
    ...rules.options,
    exclude: { path: [rules.options.exclude.path, ...uncounted] },
  },
}
