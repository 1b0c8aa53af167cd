import { sealedColumn } from '../../sealing/sealed-columns.ts'
import { rsaSigningKeys, signingKeys } from './login-provider.schema.ts'

export const privateKeys = sealedColumn(
  'signing-keys.private-key',
  signingKeys,
  { id: 'kid', sealed: 'sealedPrivateKey', plain: 'privateKey' },
  JSON.stringify,
)

export const rsaPrivateKeys = sealedColumn('rsa-signing-keys.private-key', rsaSigningKeys, {
  id: 'kid',
  sealed: 'sealedPrivateKey',
})

export const sealed = [privateKeys, rsaPrivateKeys]
