import type { Language } from './language.ts'
import type { SignInFailure } from './sign-in-failure.ts'

/** A heading and what it means, for a page that says one thing. */
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
  signedInAs: (person: string) => string
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

export const phrases: Record<Language, Phrases> = {
  en: {
    welcome: {
      title: 'A new website lives here',
      text: 'It is up and running. Its owners have not written anything yet, so come back soon.',
    },
    since: (date) => `Online since ${date}`,
    notFound: { title: 'Page not found', text: 'There is nothing at this address.' },
    notAllowed: {
      title: 'Not possible here',
      text: 'This page cannot be used in the way that was asked.',
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
      text: 'It is written down for whoever runs this website. Try again in a minute.',
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
    signedInAs: (person) => `Signed in as ${person}`,
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
      'It could not be saved, because the console did not answer whether you may still edit. What you wrote is still here: try again in a minute.',
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
        text: 'The console that checks who you are did not answer. The website itself is not affected. Try again in a minute.',
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
        text: 'The console gave an answer that this website cannot trust, so nobody was signed in. Try again; if it stays so, ask the support.',
      },
      not_kept: {
        title: 'The sign-in could not be saved',
        text: 'This website could not write to its storage, so nobody was signed in. The home page is not affected. Try again in a minute; if it stays so, ask the support.',
      },
    },
  },
  tr: {
    welcome: {
      title: 'Burada yeni bir web sitesi var',
      text: 'Site yayında ve çalışıyor. Sahipleri henüz bir şey yazmadı, yakında yine uğrayın.',
    },
    since: (date) => `${date} tarihinden beri yayında`,
    notFound: { title: 'Sayfa bulunamadı', text: 'Bu adreste bir şey yok.' },
    notAllowed: { title: 'Burada yapılamaz', text: 'Bu sayfa istenen şekilde kullanılamaz.' },
    malformed: { title: 'Bu adres doğru değil', text: 'Adresi kontrol edip yeniden deneyin.' },
    foreignForm: {
      title: 'Bu form buradan gelmiyor',
      text: 'Hiçbir şey değiştirilmedi. Bu web sitesinde düzenleyiciyi açıp oradan yeniden deneyin.',
    },
    unsupportedForm: {
      title: 'Bu form okunamıyor',
      text: 'Hiçbir şey değiştirilmedi. Bu web sitesinde düzenleyiciyi açıp oradan yeniden deneyin.',
    },
    tooLarge: {
      title: 'Bu metin çok uzun',
      text: 'Hiçbir şey değiştirilmedi. Tarayıcınızda geri dönün: yazdıklarınız hâlâ orada. Kısaltıp yeniden kaydedin.',
    },
    failed: {
      title: 'Burada bir sorun oluştu',
      text: 'Sorun, bu web sitesini yönetenler için kaydedildi. Bir dakika sonra yeniden deneyin.',
    },
    home: 'Ana sayfaya git',
    signInTitle: 'Bu web sitesini düzenle',
    signInText: (site) =>
      `${site} sitesinin ekibindeki herkes giriş yapıp ana sayfasını değiştirebilir.`,
    signIn: 'Giriş yap',
    signInAgain: 'Yeniden giriş yap',
    signedOut: 'Bu web sitesinden çıkış yaptınız.',
    accessEnded: 'Konsol artık onaylamadığı için oturumunuz sona erdi.',
    renewal: {
      title: 'Oturumunuz yenileniyor',
      text: 'Konsol saatte bir kim olduğunuzu doğrular. Bu kısa sürer ve yazdıklarınız kaybolmaz.',
    },
    signedInAs: (person) => `${person} olarak giriş yapıldı`,
    signOut: 'Çıkış yap',
    editTitle: 'Ana sayfayı düzenle',
    title: 'Başlık',
    titleHint: 'En üstteki büyük başlık.',
    text: 'Metin',
    textHint: (most) => `Boş bir satır yeni bir paragraf başlatır. En fazla ${most} karakter.`,
    save: 'Kaydet',
    viewPage: 'Sayfayı görüntüle',
    toConsole: 'Konsola dön',
    saved: 'Kaydedildi. Artık herkes görüyor.',
    titleMissing: 'Lütfen bir başlık girin',
    titleTooLong: (most) => `Lütfen başlık için en fazla ${most} karakter kullanın`,
    textTooLong: (most, length) =>
      `Lütfen en fazla ${most} karakter kullanın; metniniz ${length} karakter`,
    notSaved: 'Kaydedilemedi. Yazdıklarınız hâlâ burada: birazdan yeniden deneyin.',
    notSavedYet:
      'Oturumunuzun yenilenmesi gerektiği için bu henüz kaydedilmedi. Yazdıklarınız hâlâ burada: şimdi kaydedin.',
    notChecked:
      'Hâlâ düzenleme yetkiniz olup olmadığını konsol yanıtlamadığı için kaydedilemedi. Yazdıklarınız hâlâ burada: bir dakika sonra yeniden deneyin.',
    changedMeanwhile:
      'Siz sayfayı açtıktan sonra başka biri kaydetti. Sizinki henüz kaydedilmedi: aşağıdaki kayıtlı sürümle karşılaştırın. Şimdi kaydetmek o sürümün yerini alır.',
    savedVersion: 'Kayıtlı sürüm',
    formOutdated:
      'Bu formu açtıktan sonra yeniden giriş yaptığınız için henüz kaydedilmedi. Yazdıklarınız hâlâ burada: yeniden kaydedin.',
    sessionEnded: {
      title: 'Artık giriş yapmış değilsiniz',
      text: 'Oturum 12 saat sonra ya da ekipten ayrıldığınız anda sona erer. Hiçbir şey kaydedilmedi, ama yazdıklarınız aşağıda: kopyalayın, yeniden giriş yapın ve yapıştırın.',
    },
    yourTitle: 'Başlığınız',
    yourText: 'Metniniz',
    failures: {
      cancelled: {
        title: 'Giriş iptal edildi',
        text: 'Giriş yapılmadı ve hiçbir şey değişmedi.',
      },
      not_set_up: {
        title: 'Giriş henüz kurulmadı',
        text: 'Bu web sitesi kimin düzenleyebileceğini henüz bilmiyor. Bir dakika sonra yeniden deneyin.',
      },
      unavailable: {
        title: 'Şu anda giriş yapılamıyor',
        text: 'Kim olduğunuzu denetleyen konsol yanıt vermedi. Web sitesinin kendisi bundan etkilenmez. Bir dakika sonra yeniden deneyin.',
      },
      not_recognised: {
        title: 'Bu girişe devam edilemiyor',
        text: 'Daha önce kullanıldı, 10 dakikadan uzun sürdü, başka bir tarayıcıda başladı ya da tarayıcınız çerezleri reddediyor. Buradan yeniden başlayın.',
      },
      code_refused: {
        title: 'Bu girişin süresi doldu',
        text: 'Konsol giriş kodunu kabul etmedi: daha önce ya da çok geç kullanıldı. Buradan yeniden başlayın.',
      },
      client_refused: {
        title: 'Konsol bu web sitesini tanımıyor',
        text: 'Konsol bu web sitesinin parolasını kabul etmedi; parola az önce değişmiş olabilir. Bir dakika sonra yeniden deneyin; böyle kalırsa desteğe sorun.',
      },
      refused: {
        title: 'Giriş başarısız oldu',
        text: 'Konsol bu web sitesinin güvenemeyeceği bir yanıt verdi, bu yüzden giriş yapılmadı. Yeniden deneyin; böyle kalırsa desteğe sorun.',
      },
      not_kept: {
        title: 'Giriş kaydedilemedi',
        text: 'Bu web sitesi depolama alanına yazamadığı için giriş yapılmadı. Ana sayfa bundan etkilenmez. Bir dakika sonra yeniden deneyin; böyle kalırsa desteğe sorun.',
      },
    },
  },
}
