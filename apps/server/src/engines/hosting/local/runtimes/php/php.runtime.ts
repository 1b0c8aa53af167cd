import { requestFastCgi } from '../../../../../fastcgi/request.ts'
import type { LocalRuntime, Machine } from '../runtime.ts'
import { findPhpPrograms, type PhpPrograms } from './find-php.ts'
import { installPhpFiles, missingForPhp, type PhpOptions, phpProgram } from './php-program.ts'

/** The page of php-fpm for a file that does not exist. */
const notFound = 'File not found.'

/** A folder of PHP files, which php-fpm runs. */
export function createPhpRuntime(
  options: PhpOptions = {},
  findPrograms: () => Promise<PhpPrograms> = findPhpPrograms,
): LocalRuntime {
  let prepared: { machine: Machine; programs: PhpPrograms; installedFiles: string } | undefined

  return {
    id: 'php',
    serving: 'fastcgi',
    needsRelease: true,

    async prepare(machine) {
      const installedFiles = await installPhpFiles(machine.layout, ['php'])
      prepared = { machine, programs: await findPrograms(), installedFiles }
    },

    async detect() {
      if (!prepared) return { version: null, reason: 'no_php' }
      const { machine, programs } = prepared
      const reason = missingForPhp(machine, programs)
      return { version: reason === null ? (programs.fpm?.version ?? null) : null, reason }
    },

    async check(manifest) {
      const hasIndex = ['index.php', 'public/index.php'].some((path) => manifest.has(path))
      return hasIndex ? null : { failure: 'php_index_missing' }
    },

    async launch(site) {
      const fpm = prepared?.programs.fpm
      if (!prepared || !fpm) throw new Error('This machine has no php-fpm')
      const { machine, installedFiles } = prepared
      return phpProgram(site, fpm, installedFiles, {
        ...options,
        certificates: machine.certificates,
        version: fpm.version,
        env: { UPLOADS_DIR: '/data/uploads' },
      })
    },

    probe: { path: '/', isHealthy: (status) => status < 500 },
    restartsHanging: false,

    async requestStatus(socketPath, { hosts }, signal) {
      const host = hosts[0] ?? 'localhost'
      const params = { HTTP_HOST: host, SERVER_NAME: host, SCRIPT_NAME: '/index.php' }
      const run = (file: string) => requestFastCgi({ path: socketPath }, file, params, signal)
      const response = await run('/app/index.php')
      const isInPublicFolder = response?.status === 404 && response.body.includes(notFound)
      return (isInPublicFolder ? await run('/app/public/index.php') : response)?.status ?? null
    },

    metadata: (version) =>
      version === null ? [] : [{ key: 'runtime_version', value: `PHP ${version}` }],
  }
}
