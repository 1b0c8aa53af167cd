import { type Account, unusedAccount } from './db/embedded-program.ts'

/**
 * The user that a web process and a gateway become once they gave up root. By its group they reach
 * what a worker, which stays root, shares with them.
 */
export const serviceAccount = (dataDir: string): Account => unusedAccount(`${dataDir} web`)
