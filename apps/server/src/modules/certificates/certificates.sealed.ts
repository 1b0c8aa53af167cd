import { sealedColumn } from '../../sealing/sealed-columns.ts'
import { acmeAccounts, certificateOrders, certificates } from './certificates.schema.ts'

export const accountKeys = sealedColumn('acme_accounts.key', acmeAccounts, {
  id: 'id',
  sealed: 'sealedKey',
})

export const orderKeys = sealedColumn('certificate_orders.key', certificateOrders, {
  id: 'id',
  sealed: 'sealedKey',
})

/** Certificates with their private keys. */
export const sealedCertificates = sealedColumn('certificates.bundle', certificates, {
  id: 'id',
  sealed: 'sealed',
})

export const sealed = [accountKeys, orderKeys, sealedCertificates]
