import { sealedColumn } from '../../sealing/sealed-columns.ts'
import { signingKeys } from './login-provider.schema.ts'

export const privateKeys = sealedColumn(
  'signing-keys.private-key',
  signingKeys,
  { id: 'kid', sealed: 'sealedPrivateKey', plain: 'privateKey' },
  JSON.stringify,
)

export const sealed = [privateKeys]
