import { skipNotice } from './cluster-lacks.ts'

/** Prints why `npm run test:kubernetes` skips tests, once for all files. */
export const setup = () => {
  process.stdout.write(skipNotice(process.env))
}
