import type { Phrases } from '../phrases.ts'

export const tr: Phrases = {
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
  signedInAs: (name) => `${name} olarak giriş yapıldı`,
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
}
