import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root, say, seconds } from './command.mjs'

/** In seconds: longer than a first build of cluster or images takes. */
const timeoutSeconds = 600

/**
 * Brings up the cluster of CLUSTER_UP, with the images of the tests, and adds the variables that
 * name them to `env`. `npm test` must not fail because a machine cannot run a cluster.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>} the reason why there is no cluster, else null
 */
export async function startTestCluster(node, env) {
  const { CLUSTER_UP: up, CLUSTER_LOAD: load } = env
  if (!up || !load)
    return 'KUBECONFIG and KUBERNETES_TEST_IMAGE name no cluster to test on, and CLUSTER_UP and CLUSTER_LOAD no commands that start one'
  const started = performance.now()
  try {
    const kubeconfig = (await shell(up, env)).trim().split('\n').at(-1)
    await buildImages(node, env, 'test node php')
    env.KUBECONFIG = kubeconfig
  } catch (error) {
    await stopTestCluster(env)
    return `no cluster started within ${seconds(performance.now() - started)}: ${lastLine(error)}`
  }
  // Only the tests of Slipway itself need these.
  await buildImages(node, env, 'slipway postgresql').catch((error) =>
    say(`Slipway itself is not tested in the cluster: ${lastLine(error)}`),
  )
  say(`cluster and images ready ${seconds(performance.now() - started)}`)
  return null
}

/**
 * Adds the variables that name the images to `env`.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @param {string} names
 */
async function buildImages(node, env, names) {
  const images = await shell(`'${node}' tools/cluster-images.mjs ${names}`, env)
  for (const [, name, value] of images.matchAll(/^export (\w+)=(.+)$/gm)) env[String(name)] = value
}

/**
 * @param {unknown} error
 * @returns {string} the last line that a failed command printed
 */
function lastLine(error) {
  const { stderr = '', message } = /** @type {Error & { stderr?: string }} */ (error)
  return stderr.trim().split('\n').at(-1) || message
}

/**
 * Stops the cluster that `startTestCluster` has started.
 * @param {NodeJS.ProcessEnv} env
 */
export async function stopTestCluster(env) {
  if (!env.CLUSTER_DOWN) return
  await shell(env.CLUSTER_DOWN, env).catch(({ message }) => say(message))
}

/**
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its output
 */
async function shell(command, env) {
  // The program `timeout` also ends the children of the shell.
  const args = ['--kill-after=10', String(timeoutSeconds), 'sh', '-c', command]
  const { stdout } = await promisify(execFile)('timeout', args, { cwd: root, env })
  return stdout
}
