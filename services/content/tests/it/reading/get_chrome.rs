use kit::error::{Failure, Kind};
use proto::content::v1::GetChromeRequest;

use crate::fixture::{Client, chrome, fields, props, start};

async fn quote(client: &mut Client, locale: &str) -> Result<String, Failure> {
    let response = client
        .get_chrome(GetChromeRequest {
            locale: locale.to_owned(),
        })
        .await;
    let chrome = response
        .map_err(|status| Failure::from_status(&status))?
        .into_inner();
    assert_eq!(chrome.navigation.unwrap().component_name, "Navigation");
    Ok(props(&chrome.footer.unwrap())["quote"]
        .as_str()
        .unwrap()
        .to_owned())
}

#[tokio::test]
async fn every_locale_has_its_own_and_else_the_english_one() {
    let (_host, mut client) = start().await;
    client.publish_chrome(chrome("en", "Breathe")).await.unwrap();
    client.publish_chrome(chrome("tr", "Nefes")).await.unwrap();
    assert_eq!(quote(&mut client, "tr").await.unwrap(), "Nefes");
    assert_eq!(quote(&mut client, "da").await.unwrap(), "Breathe");
}

#[tokio::test]
async fn without_any_it_is_not_found_and_an_unknown_locale_is_named() {
    let (_host, mut client) = start().await;
    assert_eq!(
        quote(&mut client, "en").await.unwrap_err().code,
        "CHROME_NOT_FOUND"
    );
    let failure = quote(&mut client, "xx").await.unwrap_err();
    assert_eq!((failure.kind, fields(&failure)), (Kind::Invalid, vec!["locale"]));
}
