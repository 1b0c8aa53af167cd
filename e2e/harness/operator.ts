import { type Client, createClient } from '@slipway/contract/client'
import { createUser } from './user.ts'

/** The operator's email address on each server of the tests. */
export const operatorEmail = 'operator@example.com'

/** Signs the operator up; once per server. */
export const createOperator = (url: string) =>
  createUser(url, { name: 'Operator Example', email: operatorEmail })

export const operatorClient = (url: string, token: string): Client =>
  createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
