import { type Account, unusedAccount } from './db/embedded-program.ts'

/**
 * The user of web processes and gateways after they gave up root. Its group may read the files that
 * a worker, which stays root, shares.
 */
export const serviceAccount = (dataDir: string): Account => unusedAccount(`${dataDir} web`)
