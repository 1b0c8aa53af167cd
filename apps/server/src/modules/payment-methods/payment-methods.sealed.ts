import { sealedColumn } from '../../sealing/sealed-columns.ts'
import { paymentMethods } from './payment-methods.schema.ts'

export const tokens = sealedColumn('payment-methods.token', paymentMethods, {
  id: 'id',
  sealed: 'sealedToken',
  plain: 'token',
})

export const sealed = [tokens]
