//! The few words that must be there when the service that keeps all others is not.
use blocks::Locale;

/// Title, text, and what the button says.
pub type TextsByLocale = (&'static str, &'static str, &'static str);

/// A page that cannot be made now.
pub const UNAVAILABLE: [(Locale, TextsByLocale); 14] = [
    (
        Locale::En,
        (
            "A short pause",
            "This page cannot be opened right now. Try again in a few seconds; a payment you have started is safe.",
            "Try again",
        ),
    ),
    (
        Locale::Tr,
        (
            "Kısa bir nefes arası",
            "Bu sayfa şu anda açılamıyor. Birkaç saniye içinde yeniden deneyin; bir ödeme başlattıysanız güvendedir.",
            "Yeniden dene",
        ),
    ),
    (
        Locale::Ar,
        (
            "لحظة هدوء قصيرة",
            "تعذّر فتح هذه الصفحة الآن. حاول مجددًا بعد ثوانٍ قليلة، وإن كنت قد بدأت عملية دفع فهي في أمان.",
            "إعادة المحاولة",
        ),
    ),
    (
        Locale::Es,
        (
            "Una breve pausa",
            "Ahora mismo no se puede abrir esta página. Vuelve a intentarlo en unos segundos; si has iniciado un pago, está a salvo.",
            "Reintentar",
        ),
    ),
    (
        Locale::Fr,
        (
            "Une courte pause",
            "Cette page ne peut pas s’ouvrir pour l’instant. Réessayez dans quelques secondes ; un paiement déjà commencé est en sécurité.",
            "Réessayer",
        ),
    ),
    (
        Locale::De,
        (
            "Eine kurze Pause",
            "Diese Seite lässt sich gerade nicht öffnen. Versuchen Sie es in ein paar Sekunden erneut; eine begonnene Zahlung ist sicher.",
            "Erneut versuchen",
        ),
    ),
    (
        Locale::It,
        (
            "Una breve pausa",
            "In questo momento la pagina non si apre. Riprova tra qualche secondo; un pagamento già avviato è al sicuro.",
            "Riprova",
        ),
    ),
    (
        Locale::Pt,
        (
            "Uma breve pausa",
            "Não é possível abrir esta página agora. Tente de novo em alguns segundos; um pagamento já iniciado está seguro.",
            "Tentar de novo",
        ),
    ),
    (
        Locale::Ru,
        (
            "Небольшая пауза",
            "Сейчас эту страницу открыть не удаётся. Попробуйте ещё раз через несколько секунд; начатый платёж в безопасности.",
            "Попробовать снова",
        ),
    ),
    (
        Locale::Ja,
        (
            "少しだけ、ひと休み",
            "ただいまこのページを開けません。数秒後にもう一度お試しください。開始済みのお支払いは安全です。",
            "もう一度試す",
        ),
    ),
    (
        Locale::Ko,
        (
            "잠시 쉬어 갈게요",
            "지금은 이 페이지를 열 수 없습니다. 몇 초 뒤에 다시 시도해 주세요. 이미 시작한 결제는 안전합니다.",
            "다시 시도",
        ),
    ),
    (
        Locale::Pl,
        (
            "Krótka pauza",
            "Tej strony nie można teraz otworzyć. Spróbuj ponownie za kilka sekund; rozpoczęta płatność jest bezpieczna.",
            "Spróbuj ponownie",
        ),
    ),
    (
        Locale::Az,
        (
            "Qısa bir fasilə",
            "Bu səhifəni indi açmaq mümkün deyil. Bir neçə saniyədən sonra yenidən cəhd edin; başladığınız ödəniş təhlükəsizdir.",
            "Yenidən cəhd et",
        ),
    ),
    (
        Locale::Da,
        (
            "En kort pause",
            "Siden kan ikke åbnes lige nu. Prøv igen om et par sekunder; en betaling, du har påbegyndt, er i sikkerhed.",
            "Prøv igen",
        ),
    ),
];

/// An address that cannot be one of ours.
pub const NOT_FOUND: [(Locale, TextsByLocale); 14] = [
    (
        Locale::En,
        (
            "Nothing here",
            "There is no page at this address.",
            "Go to the home page",
        ),
    ),
    (
        Locale::Tr,
        (
            "Burada bir şey yok",
            "Bu adreste bir sayfa bulunmuyor.",
            "Ana sayfaya dön",
        ),
    ),
    (
        Locale::Ar,
        (
            "لا شيء هنا",
            "لا توجد صفحة على هذا العنوان.",
            "العودة إلى الصفحة الرئيسية",
        ),
    ),
    (
        Locale::Es,
        (
            "Aquí no hay nada",
            "No hay ninguna página en esta dirección.",
            "Ir a la página de inicio",
        ),
    ),
    (
        Locale::Fr,
        (
            "Rien ici",
            "Il n’y a pas de page à cette adresse.",
            "Aller à la page d’accueil",
        ),
    ),
    (
        Locale::De,
        (
            "Hier ist nichts",
            "Unter dieser Adresse gibt es keine Seite.",
            "Zur Startseite",
        ),
    ),
    (
        Locale::It,
        (
            "Qui non c’è nulla",
            "A questo indirizzo non c’è nessuna pagina.",
            "Vai alla pagina iniziale",
        ),
    ),
    (
        Locale::Pt,
        (
            "Nada por aqui",
            "Não existe nenhuma página neste endereço.",
            "Ir para a página inicial",
        ),
    ),
    (
        Locale::Ru,
        ("Здесь ничего нет", "По этому адресу нет страницы.", "На главную"),
    ),
    (
        Locale::Ja,
        (
            "ここには何もありません",
            "このアドレスにページはありません。",
            "ホームへ",
        ),
    ),
    (
        Locale::Ko,
        (
            "여기에는 아무것도 없습니다",
            "이 주소에는 페이지가 없습니다.",
            "홈으로 가기",
        ),
    ),
    (
        Locale::Pl,
        (
            "Nic tu nie ma",
            "Pod tym adresem nie ma żadnej strony.",
            "Przejdź do strony głównej",
        ),
    ),
    (
        Locale::Az,
        (
            "Burada heç nə yoxdur",
            "Bu ünvanda səhifə yoxdur.",
            "Əsas səhifəyə keç",
        ),
    ),
    (
        Locale::Da,
        (
            "Her er ingenting",
            "Der er ingen side på denne adresse.",
            "Gå til forsiden",
        ),
    ),
];

/// In this locale, else in the first of the table.
pub fn text_of(table: &[(Locale, TextsByLocale)], locale: Locale) -> TextsByLocale {
    let own = table.iter().find(|(of, _)| *of == locale);
    own.or(table.first()).map_or(("", "", ""), |(_, said)| *said)
}
