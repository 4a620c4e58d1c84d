use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::expiry::not_after;
use super::*;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn pem(authority: &Authority, name: &str, now: DateTime<Utc>) -> Pem {
    let issued = authority.issue(name, now).unwrap();
    Pem {
        certificate: issued.certificate.into_bytes(),
        key: issued.key.into_bytes(),
        authorities: authority.certificate().as_bytes().to_vec(),
    }
}

#[test]
fn a_certificate_names_its_service_and_ends_after_90_days() {
    let now = at("2026-11-20T12:00:00Z");
    let authority = Authority::create(now).unwrap();
    for name in ["checkout", "partner-benefit"] {
        let pem = pem(&authority, name, now);
        let tls = Tls::from_pem(pem).unwrap();
        assert_eq!(&*tls.name(), name);
        assert_eq!(tls.expires_at(), Some(at("2027-02-18T00:00:00Z")));
    }
    assert_eq!(authority.expires_at(), Some(at("2036-11-17T00:00:00Z")));
}

#[test]
fn times_of_both_forms_are_read_and_malformed_input_is_rejected() {
    let now = at("2055-01-01T00:00:00Z");
    let authority = Authority::create(now).unwrap();
    let pem = pem(&authority, "auth", now);
    let der = CertificateDer::from_pem_slice(&pem.certificate).unwrap();
    assert_eq!(not_after(&der), Some(at("2055-04-01T00:00:00Z")));
    for length in 0..der.len() {
        assert_eq!(not_after(&der[..length]), None, "{length}");
    }
}

#[test]
fn a_restored_authority_issues_valid_certificates() {
    let now = at("2026-11-20T12:00:00Z");
    let authority = Authority::create(now).unwrap();
    let restored = Authority::restore(authority.certificate().to_owned(), &authority.key()).unwrap();
    assert_eq!(restored.key(), authority.key());
    assert!(Tls::from_pem(pem(&restored, "auth", now)).is_ok());
}

#[test]
fn invalid_contents_leave_the_previous_certificate_in_use() {
    let now = at("2026-11-20T12:00:00Z");
    let authority = Authority::create(now).unwrap();
    let first = pem(&authority, "auth", now);
    let tls = Tls::from_pem(first.clone()).unwrap();
    let mut rejected = None;
    let second = pem(&authority, "auth", now);
    let mixed = Pem {
        key: second.key.clone(),
        ..first.clone()
    };
    let unreadable = Pem {
        authorities: b"no certificate".to_vec(),
        ..first.clone()
    };
    for invalid in [mixed, unreadable, pem(&authority, "checkout", now)] {
        tls.replace(invalid.clone(), &mut rejected);
        assert_eq!(rejected, Some(invalid));
        assert_eq!(tls.identity().pem, first);
    }
    tls.replace(second.clone(), &mut rejected);
    assert_eq!((&tls.identity().pem, rejected), (&second, None));
}
