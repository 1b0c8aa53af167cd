import { en } from './phrases/en.ts'
import { tr } from './phrases/tr.ts'
import type { PictureProblem } from './picture-problem.ts'
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
  skip: string
  menu: string
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
  editPage: (title: string) => string
  title: string
  titleHint: string
  text: string
  textHint: (maxLength: string) => string
  save: string
  viewPage: string
  viewSite: string
  toConsole: string
  saved: string
  titleMissing: string
  titleTooLong: (maxLength: string) => string
  textTooLong: (maxLength: string, length: string) => string
  notSaved: string
  notSavedYet: string
  notChecked: string
  changedMeanwhile: string
  savedVersion: string
  formOutdated: string
  sessionEnded: Message
  yourTitle: string
  yourText: string
  pages: string
  pictures: string
  design: string
  sections: string
  addPage: string
  newPage: string
  allPages: string
  homePage: string
  pagesText: string
  address: string
  addressHint: string
  addressTaken: string
  addressInvalid: string
  inMenu: string
  notInMenu: string
  edit: string
  moveUp: (title: string) => string
  moveDown: (title: string) => string
  deletePage: (title: string) => string
  deletePageText: string
  delete: string
  pageDeleted: string
  orderSaved: string
  orderChanged: string
  maxPages: (limit: string) => string
  pageGone: string
  preview: string
  saving: string
  unsaved: string
  offline: string
  diskFull: string
  bold: string
  italic: string
  headingButton: string
  link: string
  list: string
  quote: string
  picture: string
  formatting: string
  designText: string
  designs: Record<'journal' | 'shopfront' | 'portfolio', Message>
  accent: string
  pageLanguage: string
  pageLanguageHint: string
  accents: Record<
    'blue' | 'teal' | 'green' | 'ochre' | 'rust' | 'rose' | 'violet' | 'graphite',
    string
  >
  lookChanged: string
  picturesText: string
  noPictures: string
  addPicture: string
  pictureNeedsScript: string
  chooseFile: string
  fileHint: string
  alt: string
  altHint: string
  altMissing: string
  altTooLong: (maxLength: string) => string
  decorative: string
  decorativeHint: string
  upload: string
  uploading: (percent: string) => string
  cancel: string
  insert: string
  insertPicture: (alt: string) => string
  orChoose: string
  shownOn: (pages: string) => string
  notShown: string
  deletePicture: string
  deletePictureText: string
  pictureSaved: string
  pictureDeleted: string
  pictureChanged: string
  pictureGone: string
  pictureProblems: Record<PictureProblem, string>
  failures: Record<SignInFailure, Message>
}

/** The languages of the site, the default first. A new language is listed here with its phrases. */
export const phrases = { en, tr } satisfies Record<string, Phrases>

export type Language = keyof typeof phrases
