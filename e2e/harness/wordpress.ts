import { openAsBlob } from 'node:fs'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import type { wordPressArtifact } from '../../apps/server/src/testing/wordpress.ts'
import { createOperator, operatorClient } from './operator.ts'

type Artifact = Awaited<ReturnType<typeof wordPressArtifact>>

/** Adds a version of WordPress to a server, as the operator's command does. */
export async function addVersion(url: string, token: string, { archive }: Artifact) {
  const body = await openAsBlob(archive, { type: 'application/gzip' })
  return operatorClient(url, token)(addRuntimeVersion, { params: { runtime: 'wordpress' }, body })
}

/** The token of a server's operator. */
export const operatorToken = async (url: string) => (await createOperator(url)).token
