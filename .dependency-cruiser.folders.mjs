import rules from './.dependency-cruiser.mjs'

// Rejects cycles between folders. A separate file, because a folder rule cannot ignore single
// files. It ignores tests and schemas, which are the base layer of all modules.

const ignoredFiles = ['\\.schema\\.ts$', '\\.(spec|fixture)\\.(tsx?|mjs)$', '/testing/']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment:
        'Folders in an import cycle cannot be read, tested or replaced alone. Type imports count too.',
      severity: 'error',
      scope: 'folder',
      // The fuzzer's folders use each other by design: a request has a caller, a check reads the
      // request, and what the callers own is reported to the checks.
      from: {
        path: '^(apps|packages|e2e|bench|resilience|tools)(/|$)',
        pathNot: '^resilience/fuzz/',
      },
      to: { circular: true },
    },
  ],
  options: {
    ...rules.options,
    exclude: { path: [rules.options.exclude.path, ...ignoredFiles] },
  },
}
