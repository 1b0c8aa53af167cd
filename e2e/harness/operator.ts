import { type Client, createClient } from '@slipway/contract/client'
import { createUser } from './user.ts'

/** Whom each server of the tests knows as support staff, once they have signed up. */
export const operatorEmail = 'operator@example.com'

/** The support staff's account; once on a server. */
export const createOperator = (url: string) =>
  createUser(url, { name: 'Operator Example', email: operatorEmail })

/** Calls the API with the support staff's session. */
export const operatorClient = (url: string, token: string): Client =>
  createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
