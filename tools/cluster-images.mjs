import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { root, run, runTool, seconds, ToolError } from './command.mjs'
import { findNode } from './setup.mjs'

// `npm run cluster:images [-- name ...]` builds the images that `npm run test:kubernetes` needs,
// from their Containerfiles, and loads them onto the nodes. It prints the variables that name them,
// as lines of a shell. It needs root on Debian: it builds the base images from Debian's packages,
// without an image registry or a container engine.

const help = `CLUSTER_LOAD is the command that reads an image archive (OCI) from its input and loads it onto the \
nodes of the cluster, such as \`ctr --namespace k8s.io images import -\`.`

/** The Containerfile of each image, and the variable that names the image. */
const images = {
  test: {
    variable: 'KUBERNETES_TEST_IMAGE',
    file: 'apps/server/src/engines/hosting/kubernetes/fixtures/test-site/Containerfile',
    bases: ['node'],
  },
  node: {
    variable: 'KUBERNETES_NODE_IMAGE',
    file: 'deploy/runtimes/node/Containerfile',
    bases: ['node'],
  },
  php: { variable: 'KUBERNETES_PHP_IMAGE', file: 'deploy/runtimes/php/Containerfile', bases: [] },
  postgresql: {
    variable: 'KUBERNETES_POSTGRESQL_IMAGE',
    file: 'apps/server/src/testing/postgresql-image/Containerfile',
    bases: [],
  },
  slipway: {
    variable: 'KUBERNETES_SLIPWAY_IMAGE',
    file: 'deploy/Containerfile',
    bases: ['node'],
    args: { NODE_IMAGE: 'node:26-slim', BASE_IMAGE: 'debian:12-slim' },
    // The budget of docs/containers.md.
    maxMegabytes: 700,
  },
}

const bases = { debian: 'docker.io/library/debian:12-slim', node: 'docker.io/library/node:26-slim' }

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'slipway-images')
/** A separate image store, so that our base images do not replace the official ones. */
const storage = ['--root', join(cache, 'storage'), '--runroot', '/run/slipway-images']
const isolation = ['--isolation', 'chroot']

const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`)

await runTool(async () => {
  const names = process.argv.slice(2)
  const chosen = names.length > 0 ? names : ['test', 'node', 'php']
  const unknown = chosen.filter((name) => !(name in images))
  if (unknown.length > 0)
    throw new ToolError(`No image ${unknown}: there are ${Object.keys(images).join(', ')}.`)
  const load = process.env.CLUSTER_LOAD
  if (!load) throw new ToolError(help)
  await ensurePrograms()
  mkdirSync(cache, { recursive: true })
  for (const name of /** @type {(keyof typeof images)[]} */ (chosen)) {
    const started = performance.now()
    await makeBase('debian')
    if (images[name].bases.includes('node')) await makeBase('node')
    const id = await build(name)
    const size = await sizeOf(name, id)
    const reference = await deliver(name, id, load)
    progress(`${name}: ${size}, built and loaded in ${seconds(performance.now() - started)}`)
    process.stdout.write(`export ${images[name].variable}=${reference}\n`)
  }
  return 0
})

async function ensurePrograms() {
  if (process.getuid?.() !== 0) throw new ToolError('Building images needs root.')
  const missing = []
  for (const program of ['buildah', 'mmdebstrap'])
    if (!(await isProgram(program))) missing.push(program)
  if (missing.length === 0) return
  progress(`Installing ${missing.join(' and ')} ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  await call('apt-get', [...apt, 'update'], { env })
  const install = ['install', '--yes', '--no-install-recommends', ...missing]
  await call('apt-get', [...apt, ...install], { env })
}

/** @param {string} program */
function isProgram(program) {
  return run(program, ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  )
}

/**
 * Builds a base image, unless it exists.
 * @param {keyof typeof bases} name
 */
async function makeBase(name) {
  const { code } = await run('buildah', [...storage, 'inspect', '--type', 'image', bases[name]])
  if (code === 0) return
  progress(`Making the base image ${bases[name]} ...`)
  const folder = mkdtempSync(join(cache, 'base-'))
  try {
    if (name === 'debian') await writeDebian(folder)
    else await writeNode(folder)
    await call('buildah', [
      ...storage,
      'bud',
      ...isolation,
      '--pull-never',
      '-t',
      bases[name],
      folder,
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} folder */
async function writeDebian(folder) {
  const options = ['--mode=root', '--variant=minbase', '--include=ca-certificates', '--quiet']
  // As Debian's official images: no fsync, no manuals, packages start no services.
  const dpkg = [
    'force-unsafe-io',
    ...['man', 'doc', 'locale'].map((folder) => `path-exclude=/usr/share/${folder}/*`),
  ]
  const hook =
    '--customize-hook=printf "#!/bin/sh\\nexit 101\\n" >"$1/usr/sbin/policy-rc.d"; chmod 755 "$1/usr/sbin/policy-rc.d"'
  const all = [...options, ...dpkg.map((option) => `--dpkgopt=${option}`), hook]
  await call('mmdebstrap', [...all, 'bookworm', join(folder, 'debian.tar')])
  writeFileSync(
    join(folder, 'Containerfile'),
    `FROM scratch
ADD debian.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CMD ["bash"]
`,
  )
}

/**
 * Writes a base image with the Node of the lock file and this machine's npm.
 * @param {string} folder
 */
async function writeNode(folder) {
  copyFileSync(await findNode(), join(folder, 'node'))
  const npm = (await call('npm', ['root', '--global'])).trim()
  cpSync(realpathSync(join(npm, 'npm')), join(folder, 'npm'), { recursive: true })
  writeFileSync(
    join(folder, 'Containerfile'),
    `FROM ${bases.debian}
RUN apt-get update \\
  && apt-get install --yes --no-install-recommends libatomic1 libstdc++6 \\
  && rm -rf /var/lib/apt/lists/*
COPY --chmod=755 node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
CMD ["node"]
`,
  )
}

/**
 * Builds an image; unchanged layers come from the cache.
 * @param {keyof typeof images} name
 * @returns {Promise<string>} its id
 */
async function build(name) {
  const { file, args = {} } = /** @type {{ file: string, args?: Record<string, string> }} */ (
    images[name]
  )
  const folder = mkdtempSync(join(cache, 'build-'))
  const id = join(folder, 'id')
  try {
    await call('buildah', [
      ...storage,
      ...['bud', ...isolation, '--pull-never', '--layers', '--iidfile', id, '--file', file],
      ...Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ...npmMounts(folder).flatMap((mount) => ['--volume', mount]),
      root,
    ])
    return readFileSync(id, 'utf8').trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * The mounts with which npm reaches the same registry in a build as on this machine: the user's
 * `.npmrc` and the machine's certificates.
 * @param {string} folder
 * @returns {string[]} mounts
 */
function npmMounts(folder) {
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (!existsSync(certificates)) return []
  const userSettings = join(homedir(), '.npmrc')
  const settings = join(folder, 'npmrc')
  const text = existsSync(userSettings) ? readFileSync(userSettings, 'utf8') : ''
  writeFileSync(settings, `${text}\ncafile=${certificates}\n`)
  return [`${certificates}:${certificates}:ro`, `${settings}:/root/.npmrc:ro`]
}

/**
 * The unpacked size of an image, which must be within its budget.
 * @param {keyof typeof images} name
 * @param {string} id
 * @returns {Promise<string>}
 */
async function sizeOf(name, id) {
  const [{ size }] = JSON.parse(await call('buildah', [...storage, 'images', '--json', id]))
  const { maxMegabytes } = /** @type {{ maxMegabytes?: number }} */ (images[name])
  if (maxMegabytes === undefined) return size
  const megabytes = Number.parseFloat(size) * (size.endsWith(' GB') ? 1000 : 1)
  const text = `${size} of at most ${maxMegabytes} MB`
  if (megabytes > maxMegabytes) throw new ToolError(`The image ${name} is too large: ${text}.`)
  return text
}

/**
 * Loads an image onto the nodes.
 * @param {keyof typeof images} name
 * @param {string} id
 * @param {string} load
 * @returns {Promise<string>} its name by digest
 */
async function deliver(name, id, load) {
  const folder = mkdtempSync(join(cache, 'image-'))
  try {
    const layout = join(folder, 'layout')
    await call('buildah', [...storage, 'push', '--disable-compression', id, `oci:${layout}`])
    const file = join(layout, 'index.json')
    const index = JSON.parse(readFileSync(file, 'utf8'))
    const [manifest] = index.manifests
    const reference = `localhost/slipway-${name}@${manifest.digest}`
    // containerd finds an image by digest only if its name contains the digest.
    manifest.annotations = { 'io.containerd.image.name': reference }
    writeFileSync(file, JSON.stringify(index))
    const script = 'tar --directory "$1" --create . | eval "$2"'
    await call('bash', ['-o', 'pipefail', '-c', script, 'load', layout, load])
    return reference
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runs a program; its output is shown only when it fails.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 */
async function call(program, args, options) {
  const { code, output } = await run(program, args, options)
  if (code === 0) return output
  throw new ToolError(`${output.trim()}\n\n${program} failed.`)
}
