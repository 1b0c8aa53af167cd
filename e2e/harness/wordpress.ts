import { openAsBlob } from 'node:fs'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import { findWordPress, wordPressArtifact } from '../../apps/server/src/testing/wordpress.ts'
import { createOperator, operatorClient } from './operator.ts'
import type { Server } from './server.ts'

export const operatorToken = async (url: string) => (await createOperator(url)).token

/** The number of a version: all are the same WordPress. */
export const versionOf = (number: number) => `99.${number}`

/** The text on the pages of a site with a version. */
export const versionText = (number: number) => `WordPress ${versionOf(number)}`

type Artifact = Awaited<ReturnType<typeof wordPressArtifact>>

/** Adds a version of WordPress to a server, as the operator's command does. */
export async function addVersion(url: string, token: string, { archive }: Artifact) {
  const body = await openAsBlob(archive, { type: 'application/gzip' })
  return operatorClient(url, token)(addRuntimeVersion, { params: { runtime: 'wordpress' }, body })
}

/** Adds one of several versions to a server. Returns its digest. */
export async function installVersion({ url, dataDir }: Server, token: string, number: number) {
  const sources = await findWordPress()
  if (!sources) throw new Error('WordPress is missing')
  const artifact = await wordPressArtifact(sources, (text) =>
    text.replace(/\$wp_version = '.*?'/, `$wp_version = '${versionOf(number)}'`),
  )
  await artifact.install(dataDir)
  await addVersion(url, token, artifact)
  return artifact.digest
}
