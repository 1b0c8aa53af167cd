import { lacksOf, privateRegistryLack, skipNotice, wordPressLack } from './cluster-lacks.ts'

/** Prints why `npm run test:kubernetes` skips tests, once for all files. */
export async function setup() {
  const { env } = process
  const machine = {
    wordPress: await wordPressLack(env),
    privateRegistry: await privateRegistryLack(env),
  }
  process.stdout.write(skipNotice({ ...lacksOf(env), ...machine }))
}
