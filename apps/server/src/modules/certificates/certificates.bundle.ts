import type { Sealing } from '../../sealing/sealing.ts'
import { bundles } from './certificates.sealed.ts'
import type { ServedCertificate } from './certificates.store.ts'

/** A certificate, its issuers' and its private key, each in PEM. */
export type Bundle = { chain: string[]; key: string }

export const sealBundle = (sealing: Sealing, id: string, bundle: Bundle): string =>
  bundles.seal(sealing, id, JSON.stringify(bundle))

export const openBundle = (
  sealing: Sealing,
  { id, sealed }: Pick<ServedCertificate, 'id' | 'sealed'>,
): Bundle => JSON.parse(bundles.open(sealing, id, sealed).toString()) as Bundle
