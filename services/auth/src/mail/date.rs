//! Formats a date for each language, in UTC.
use chrono::{DateTime, Datelike, Utc};

const ENGLISH: &str = "January February March April May June July August September October November December";

/// In the case that stands after a day.
fn months(lang: &str) -> &'static str {
    match lang {
        "ar" => "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
        "az" => "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr",
        "da" => "januar februar marts april maj juni juli august september oktober november december",
        "de" => "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "es" => "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "fr" => "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "it" => {
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
        }
        "pl" => {
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
        }
        "pt" => "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "ru" => "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "tr" => "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        _ => ENGLISH,
    }
}

pub fn written(at: DateTime<Utc>, lang: &str) -> String {
    let (year, day) = (at.year(), at.day());
    let month = months(lang)
        .split(' ')
        .nth(usize::try_from(at.month0()).unwrap_or_default())
        .unwrap_or_default();
    match lang {
        "ja" => format!("{year}年{}月{day}日", at.month()),
        "ko" => format!("{year}년 {}월 {day}일", at.month()),
        "de" | "da" => format!("{day}. {month} {year}"),
        "es" | "pt" => format!("{day} de {month} de {year}"),
        _ => format!("{day} {month} {year}"),
    }
}

/// With the time of the day.
pub fn to_the_minute(at: DateTime<Utc>, lang: &str) -> String {
    let (day, time) = (written(at, lang), at.format("%H:%M UTC"));
    match lang {
        "ja" | "ko" => format!("{day} {time}"),
        "ar" => format!("{day}، {time}"),
        _ => format!("{day}, {time}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_year_has_twelve_months() {
        for lang in [
            "ar", "az", "da", "de", "en", "es", "fr", "it", "pl", "pt", "ru", "tr",
        ] {
            assert_eq!(months(lang).split(' ').count(), 12, "{lang}");
        }
    }

    #[test]
    fn each_language_writes_it_its_own_way() {
        let at = "2028-02-29T23:59:59Z".parse().unwrap();
        for (lang, expected) in [
            ("en", "29 February 2028"),
            ("de", "29. Februar 2028"),
            ("tr", "29 Şubat 2028"),
            ("es", "29 de febrero de 2028"),
            ("ru", "29 февраля 2028"),
            ("ja", "2028年2月29日"),
            ("ko", "2028년 2월 29일"),
            ("ar", "29 فبراير 2028"),
        ] {
            assert_eq!(written(at, lang), expected);
        }
    }
}
