import type { Phrases } from '../phrases.ts'

export const en: Phrases = {
  welcome: {
    title: 'A new website lives here',
    text: 'It is up and running. Its owners have not written anything yet, so come back soon.',
  },
  since: (date) => `Online since ${date}`,
  notFound: { title: 'Page not found', text: 'There is nothing at this address.' },
  notAllowed: {
    title: 'Not possible here',
    text: 'This page does not support this kind of request.',
  },
  malformed: { title: 'This address is not right', text: 'Check the address and try again.' },
  foreignForm: {
    title: 'This form is not from here',
    text: 'Nothing was changed. Open the editor on this website and try again from there.',
  },
  unsupportedForm: {
    title: 'This form cannot be read',
    text: 'Nothing was changed. Open the editor on this website and try again from there.',
  },
  tooLarge: {
    title: 'This is too much text',
    text: 'Nothing was changed. Go back in your browser: what you wrote is still there. Shorten it and save again.',
  },
  failed: {
    title: 'Something went wrong here',
    text: 'The error has been logged. Try again in a minute.',
  },
  home: 'Go to the home page',
  signInTitle: 'Edit this website',
  signInText: (site) => `Whoever is in the team of ${site} can sign in and change its home page.`,
  signIn: 'Sign in',
  signInAgain: 'Sign in again',
  signedOut: 'You are signed out of this website.',
  accessEnded: 'Your sign-in has ended, because the console no longer confirms it.',
  renewal: {
    title: 'Renewing your sign-in',
    text: 'The console confirms once an hour who you are. This takes a moment, and nothing that you wrote is lost.',
  },
  signedInAs: (name) => `Signed in as ${name}`,
  signOut: 'Sign out',
  editTitle: 'Edit the home page',
  title: 'Title',
  titleHint: 'The large heading at the top.',
  text: 'Text',
  textHint: (most) => `A blank line begins a new paragraph. Up to ${most} characters.`,
  save: 'Save',
  viewPage: 'View the page',
  toConsole: 'Back to the console',
  saved: 'Saved. Everybody sees it now.',
  titleMissing: 'Please enter a title',
  titleTooLong: (most) => `Please use at most ${most} characters for the title`,
  textTooLong: (most, length) => `Please use at most ${most} characters; these are ${length}`,
  notSaved: 'It could not be saved. What you wrote is still here: try again in a moment.',
  notSavedYet:
    'Your sign-in had to be renewed, so this is not saved yet. What you wrote is still here: save it now.',
  notChecked:
    'Your changes could not be saved, because the console did not respond. Your text is still here: try again in a minute.',
  changedMeanwhile:
    'Somebody saved the page after you opened it. Yours is not saved yet: compare it with the saved version below. Saving now replaces that version.',
  savedVersion: 'The saved version',
  formOutdated:
    'You signed in again after you opened this form, so it was not saved yet. What you wrote is still here: save it again.',
  sessionEnded: {
    title: 'You are no longer signed in',
    text: 'A sign-in ends after 12 hours, or as soon as you leave the team. Nothing was saved, but what you wrote is below: copy it, sign in again and paste it.',
  },
  yourTitle: 'Your title',
  yourText: 'Your text',
  failures: {
    cancelled: {
      title: 'The sign-in was cancelled',
      text: 'Nobody was signed in and nothing has changed.',
    },
    not_set_up: {
      title: 'Signing in is not set up',
      text: 'This website does not know yet who may edit it. Try again in a minute.',
    },
    unavailable: {
      title: 'Signing in does not work at the moment',
      text: 'The console that signs you in did not respond. The website itself is not affected. Try again in a minute.',
    },
    not_recognised: {
      title: 'This sign-in cannot be continued',
      text: 'It was used already, took longer than 10 minutes, began in another browser, or your browser refuses cookies. Begin again from here.',
    },
    code_refused: {
      title: 'This sign-in has expired',
      text: 'The console did not accept its code: it was used already, or too late. Begin again from here.',
    },
    client_refused: {
      title: 'The console does not know this website',
      text: 'The console did not accept the password of this website, perhaps because it has just been changed. Try again in a minute; if it stays so, ask the support.',
    },
    refused: {
      title: 'The sign-in failed',
      text: 'The response of the console could not be verified, so you were not signed in. Try again; if it happens again, contact support.',
    },
    not_kept: {
      title: 'The sign-in could not be saved',
      text: 'This website could not write to its storage, so nobody was signed in. The home page is not affected. Try again in a minute; if it stays so, ask the support.',
    },
  },
}
