import { en } from './phrases/en.ts'
import { tr } from './phrases/tr.ts'
import type { SignInFailure } from './sign-in-failure.ts'

/** The heading and text of a message page. */
export type Message = { title: string; text: string }

export type Phrases = {
  welcome: Message
  since: (date: string) => string
  notFound: Message
  notAllowed: Message
  malformed: Message
  foreignForm: Message
  unsupportedForm: Message
  tooLarge: Message
  failed: Message
  home: string
  signInTitle: string
  signInText: (site: string) => string
  signIn: string
  signInAgain: string
  signedOut: string
  accessEnded: string
  renewal: Message
  signedInAs: (name: string) => string
  signOut: string
  editTitle: string
  title: string
  titleHint: string
  text: string
  textHint: (most: string) => string
  save: string
  viewPage: string
  toConsole: string
  saved: string
  titleMissing: string
  titleTooLong: (most: string) => string
  textTooLong: (most: string, length: string) => string
  notSaved: string
  notSavedYet: string
  notChecked: string
  changedMeanwhile: string
  savedVersion: string
  formOutdated: string
  sessionEnded: Message
  yourTitle: string
  yourText: string
  failures: Record<SignInFailure, Message>
}

/** The languages of the site, the default first. A further one is its phrases and its name here. */
export const phrases = { en, tr } satisfies Record<string, Phrases>

export type Language = keyof typeof phrases
