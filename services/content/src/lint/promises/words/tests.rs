use super::lexicon;
use crate::domain::Locale;
use crate::lint::promises::claim::Claim;

/// What a text is found to promise: days for free, `trial`, percent off.
fn promises(locale: Locale, text: &str) -> Vec<String> {
    let claims = lexicon(locale).unwrap().claims(text).into_iter();
    claims
        .map(|claim| match claim {
            Claim::FreeDays { days, .. } => format!("{days} days"),
            Claim::Trial => "trial".to_owned(),
            Claim::PercentOff(percent) => format!("{percent} %"),
        })
        .collect()
}

fn all_promise(locale: Locale, texts: &[(&str, &str)]) {
    for (text, promise) in texts {
        assert_eq!(promises(locale, text), [*promise], "{locale}: {text}");
    }
}

fn none_promises(locale: Locale, texts: &[&str]) {
    for text in texts {
        assert_eq!(promises(locale, text), [""; 0], "{locale}: {text}");
    }
}

#[test]
fn english() {
    all_promise(
        Locale::En,
        &[
            ("Try seven days free", "7 days"),
            ("Free for 14 days. Cancel any time.", "14 days"),
            ("Start your 7-day free trial", "7 days"),
            ("Nothing to pay for seven days", "7 days"),
            (
                "Your card is not charged during the seven days of the trial.",
                "7 days",
            ),
            ("A free week, then one payment a year", "7 days"),
            ("One month free", "30 days"),
            ("Twenty-one days free", "21 days"),
            ("After 7 free days the plan renews", "7 days"),
            ("Start free trial", "trial"),
            ("Try it free", "trial"),
            ("We write to you two days before the trial ends", "trial"),
            ("Save 20% today", "20 %"),
            ("20 % off your first year", "20 %"),
            ("Half price until Sunday", "50 %"),
        ],
    );
    none_promises(
        Locale::En,
        &[
            "Ten minutes a day, free of noise",
            "Feel free to take seven days",
            "No free trial with this plan",
            "A free 14-day programme for sleep",
            "Seven days a week, whenever you like",
            "Eighty percent of us sleep badly",
            "Open for 30 days after that",
            "The monthly plan has no trial",
            "The first sessions are three minutes long",
        ],
    );
}

#[test]
fn turkish() {
    all_promise(
        Locale::Tr,
        &[
            ("Yedi gün ücretsiz deneyin", "7 days"),
            ("7 günlük ücretsiz deneme", "7 days"),
            ("İlk 14 gün ücretsiz", "14 days"),
            ("Yedi gün boyunca ödeme yok", "7 days"),
            ("Bir ay ücretsiz", "30 days"),
            ("Ücretsiz deneyin", "trial"),
            ("%20 indirim", "20 %"),
            ("Yüzde 20 indirim kazanın", "20 %"),
            ("Yarı fiyatına", "50 %"),
        ],
    );
    none_promises(
        Locale::Tr,
        &[
            "Deneme bitmeden iki gün önce size yazarız",
            "Günde on dakika, bir sandalye yeter",
            "Yıllık planda her şeye göz atmak için yedi gününüz var",
            "14 günlük ücretsiz program",
            "İnsanların yüzde 20 kadarı kötü uyur",
            "Bu planda deneme süresi yok",
        ],
    );
}

#[test]
fn spanish() {
    all_promise(
        Locale::Es,
        &[
            ("Prueba siete días gratis", "7 days"),
            ("7 días de prueba gratuita", "7 days"),
            ("Catorce días sin pagar", "14 days"),
            ("Una semana gratis", "7 days"),
            ("Un mes gratuito", "30 days"),
            ("Empieza tu prueba gratuita", "trial"),
            ("20 % de descuento", "20 %"),
            ("Ahorra un 20 %", "20 %"),
            ("A mitad de precio", "50 %"),
        ],
    );
    none_promises(
        Locale::Es,
        &[
            "Te escribimos dos días antes de que termine la prueba",
            "Diez minutos al día, siete días a la semana",
            "Un programa gratuito de 14 días",
            "Este plan no tiene prueba gratuita",
            "El 80 % duerme mal",
            "A mitad de la semana",
        ],
    );
}

#[test]
fn german() {
    all_promise(
        Locale::De,
        &[
            ("Sieben Tage kostenlos testen", "7 days"),
            ("7 Tage gratis", "7 days"),
            ("Die siebentägige Probezeit beginnt heute", "7 days"),
            ("Dein 14-tägiger Testzeitraum", "14 days"),
            ("Eine kostenlose Woche", "7 days"),
            ("Deine Gratiswoche", "7 days"),
            ("Sieben Tage lang zahlst du nichts", "7 days"),
            ("Jetzt kostenlos testen", "trial"),
            ("Zwei Tage vor Ende der Testphase schreiben wir dir", "trial"),
            ("20 % Rabatt", "20 %"),
            ("Spare 20 Prozent", "20 %"),
            ("Zum halben Preis", "50 %"),
        ],
    );
    none_promises(
        Locale::De,
        &[
            "Ohne Probezeit",
            "Nimm dir einen Tag frei",
            "Sieben Tage die Woche, zehn Minuten am Tag",
            "Ein kostenloses Programm über 14 Tage",
            "Das Monatsabo hat keine Probezeit",
            "80 Prozent schlafen schlecht",
        ],
    );
}

#[test]
fn french() {
    all_promise(
        Locale::Fr,
        &[
            ("Sept jours gratuits", "7 days"),
            ("Essayez gratuitement pendant 7 jours", "7 days"),
            ("7 jours d’essai", "7 days"),
            ("Quatorze jours offerts", "14 days"),
            ("Une semaine gratuite", "7 days"),
            ("Un mois offert", "30 days"),
            ("Commencer l’essai gratuit", "trial"),
            ("20\u{a0}% de réduction", "20 %"),
            ("Économisez 20\u{202f}%", "20 %"),
            ("À moitié prix", "50 %"),
        ],
    );
    none_promises(
        Locale::Fr,
        &[
            "Nous vous écrivons deux jours avant la fin de l’essai",
            "Dix minutes par jour, sept jours sur sept",
            "Un programme gratuit de 14 jours",
            "Cette formule n’a pas de période d’essai",
            "80 % des gens dorment mal",
        ],
    );
}

#[test]
fn portuguese() {
    all_promise(
        Locale::Pt,
        &[
            ("Sete dias grátis", "7 days"),
            ("7 dias de teste", "7 days"),
            ("Experimente grátis por 14 dias", "14 days"),
            ("Uma semana grátis", "7 days"),
            ("Começar teste grátis", "trial"),
            ("20% de desconto", "20 %"),
            ("Economize 20%", "20 %"),
            ("Pela metade do preço", "50 %"),
        ],
    );
    none_promises(
        Locale::Pt,
        &[
            "Escrevemos dois dias antes do fim do teste",
            "Dez minutos por dia, sete dias por semana",
            "Um programa gratuito de 14 dias",
            "Este plano não tem teste grátis",
            "80% das pessoas dormem mal",
            "Não deixe a prática pela metade",
        ],
    );
}

#[test]
fn russian() {
    all_promise(
        Locale::Ru,
        &[
            ("Семь дней бесплатно", "7 days"),
            ("7 дней бесплатно", "7 days"),
            ("Семидневный пробный период", "7 days"),
            ("Бесплатно в течение четырнадцати дней", "14 days"),
            ("Неделя бесплатно", "7 days"),
            ("Месяц бесплатно", "30 days"),
            ("Попробуйте бесплатно", "trial"),
            ("За два дня до окончания пробного периода мы напишем вам", "trial"),
            ("Скидка 20 %", "20 %"),
            ("Экономия 20 процентов", "20 %"),
            ("За полцены", "50 %"),
        ],
    );
    none_promises(
        Locale::Ru,
        &[
            "Без пробного периода",
            "Десять минут в день, семь дней в неделю",
            "Бесплатная программа на 14 дней",
            "В этом тарифе нет пробного периода",
            "80 % людей плохо спят",
        ],
    );
}

#[test]
fn japanese() {
    all_promise(
        Locale::Ja,
        &[
            ("7日間無料", "7 days"),
            ("七日間無料でお試しいただけます", "7 days"),
            ("最初の７日間は無料です", "7 days"),
            ("一週間の無料トライアル", "7 days"),
            ("1か月間無料", "30 days"),
            ("無料トライアルを始める", "trial"),
            ("20%オフ", "20 %"),
            ("20％割引", "20 %"),
            ("今だけ半額", "50 %"),
        ],
    );
    none_promises(
        Locale::Ja,
        &[
            "終了の2日前にメールでお知らせします",
            "1日10分から始められます",
            "14日間の無料プログラム",
            "月額プランに無料トライアルはありません",
            "80%の人がよく眠れていません",
        ],
    );
}

#[test]
fn arabic() {
    all_promise(
        Locale::Ar,
        &[
            ("سبعة أيام مجانًا", "7 days"),
            ("7 أيام مجانًا", "7 days"),
            ("جرّب مجانًا لمدة ٧ أيام", "7 days"),
            ("أربعة عشر يومًا مجانًا", "14 days"),
            ("أسبوع مجاني", "7 days"),
            ("شهر مجاني", "30 days"),
            ("أسبوعان مجانًا", "14 days"),
            ("ابدأ التجربة المجانية", "trial"),
            ("خصم ٢٠٪", "20 %"),
            ("وفّر 20 بالمئة", "20 %"),
            ("بنصف السعر", "50 %"),
        ],
    );
    none_promises(
        Locale::Ar,
        &[
            "نكتب إليك قبل يومين من انتهاء التجربة",
            "عشر دقائق في اليوم، سبعة أيام في الأسبوع",
            "برنامج مجاني من 14 يومًا",
            "لا تتضمن هذه الخطة فترة تجريبية",
            "80٪ من الناس ينامون نومًا سيئًا",
        ],
    );
}

#[test]
fn italian() {
    all_promise(
        Locale::It,
        &[
            ("Sette giorni gratis", "7 days"),
            ("7 giorni di prova", "7 days"),
            ("Quattordici giorni senza pagare", "14 days"),
            ("Una settimana gratuita", "7 days"),
            ("Inizia la prova gratuita", "trial"),
            ("20% di sconto", "20 %"),
            ("Risparmi il 20%", "20 %"),
            ("A metà prezzo", "50 %"),
        ],
    );
    none_promises(
        Locale::It,
        &[
            "Ti scriviamo due giorni prima della fine della prova",
            "Dieci minuti al giorno, sette giorni su sette",
            "Un programma gratuito di 14 giorni",
            "Questo piano non ha un periodo di prova",
            "L’80% delle persone dorme male",
        ],
    );
}

#[test]
fn korean() {
    all_promise(
        Locale::Ko,
        &[
            ("7일 무료", "7 days"),
            ("7일간 무료로 이용해 보세요", "7 days"),
            ("첫 14일 동안 무료", "14 days"),
            ("일주일 무료 체험", "7 days"),
            ("칠일간 무료", "7 days"),
            ("한 달 무료", "30 days"),
            ("무료 체험 시작", "trial"),
            ("20% 할인", "20 %"),
            ("반값에 시작하세요", "50 %"),
        ],
    );
    none_promises(
        Locale::Ko,
        &[
            "체험이 끝나기 이틀 전에 메일을 보내 드려요",
            "하루 10분이면 충분해요",
            "14일짜리 무료 프로그램",
            "월간 요금제에는 무료 체험이 없습니다",
            "사람들의 80%는 잠을 설칩니다",
        ],
    );
}
