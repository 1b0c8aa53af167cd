import type { Locale } from '@slipway/phrases'

type Message<Inputs> = (inputs: Inputs, options: { locale: Locale }) => string

/** Creates `t`, which returns a phrase's text in one language: `t(m.projects_missing, { key })`. */
export const textsIn = (locale: Locale) =>
  Object.assign(
    <Inputs extends object>(message: Message<Inputs>, ...[inputs]: InputsOf<Inputs>) =>
      message((inputs ?? {}) as Inputs, { locale }),
    { locale },
  )

type InputsOf<Inputs> = keyof Inputs extends never ? [inputs?: Inputs] : [inputs: Inputs]

export type Translate = ReturnType<typeof textsIn>
