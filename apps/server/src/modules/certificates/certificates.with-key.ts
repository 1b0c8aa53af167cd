import type { Sealing } from '../../sealing/sealing.ts'
import { sealedCertificates } from './certificates.sealed.ts'
import type { ServedCertificate } from './certificates.store.ts'

/** A certificate with its issuers' certificates (`chain`) and its private key (`key`), in PEM. */
export type CertificateWithKey = { chain: string[]; key: string }

export const sealCertificate = (
  sealing: Sealing,
  id: string,
  certificateWithKey: CertificateWithKey,
): string => sealedCertificates.seal(sealing, id, JSON.stringify(certificateWithKey))

export const openCertificate = (
  sealing: Sealing,
  { id, sealed }: Pick<ServedCertificate, 'id' | 'sealed'>,
): CertificateWithKey =>
  JSON.parse(sealedCertificates.open(sealing, id, sealed).toString()) as CertificateWithKey
