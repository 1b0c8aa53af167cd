import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { minute, second } from '@slipway/contract/limits'
import { BackupError } from '../backup-error.ts'
import { type BackupStore, byTime, type StoredBackup, timeOf } from './store.ts'

/** S3 accepts 10,000 parts: an archive of at most 312 GiB. Two parts are in memory. */
const partSize = 32 * 2 ** 20

/**
 * A bucket of S3 or of a compatible service. Address, region and credentials come from the AWS
 * SDK's own settings, such as `AWS_ENDPOINT_URL` and `AWS_ACCESS_KEY_ID`.
 */
export function createS3Store(location: string): BackupStore {
  const { hostname: Bucket, pathname } = new URL(location)
  const folder = pathname.replace(/^\/+|\/+$/g, '')
  const keyOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const custom = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL
  const client = new S3Client({
    // Compatible services seldom have a host name for each bucket.
    forcePathStyle: custom !== undefined,
    // Compatible services may not know the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A service that accepts a connection and sends nothing must not block a backup forever.
    requestHandler: { connectionTimeout: 10 * second, socketTimeout: minute },
  })

  return {
    location,
    async list() {
      const backups: StoredBackup[] = []
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: keyOf('slipway-') })
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0 } of Contents) {
          const name = Key.slice(keyOf('').length)
          const createdAt = timeOf(name)
          if (createdAt) backups.push({ name, createdAt, bytes: Size })
        }
      return backups.sort(byTime)
    },
    async write(name, content, signal) {
      signal.throwIfAborted()
      let bytes = 0
      const upload = new Upload({
        client,
        params: { Bucket, Key: keyOf(name), Body: content },
        partSize,
        queueSize: 2,
      })
      upload.on('httpUploadProgress', ({ loaded = 0 }) => {
        bytes = loaded
      })
      const abort = () => void upload.abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        await upload.done()
      } finally {
        signal.removeEventListener('abort', abort)
        content.destroy()
      }
      return bytes
    },
    async read(name, signal) {
      const command = new GetObjectCommand({ Bucket, Key: keyOf(name) })
      const { Body } = await client.send(command, signal ? { abortSignal: signal } : {})
      if (!(Body instanceof Readable)) throw new BackupError(`${location} has no ${name}`)
      return Body
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }))
    },
  }
}
