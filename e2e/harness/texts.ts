import type { Locale } from '@slipway/phrases'

type Message<Inputs> = (inputs: Inputs, options: { locale: Locale }) => string

/** Says phrases in one language, `locale`: `say(m.auth_login)`, `say(m.projects_missing, { key })`. */
export const wordsIn = (locale: Locale) =>
  Object.assign(
    <Inputs extends object>(message: Message<Inputs>, ...[inputs]: InputsOf<Inputs>) =>
      message((inputs ?? {}) as Inputs, { locale }),
    { locale },
  )

type InputsOf<Inputs> = keyof Inputs extends never ? [inputs?: Inputs] : [inputs: Inputs]

export type Say = ReturnType<typeof wordsIn>
