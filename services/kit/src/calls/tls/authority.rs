//! A certificate authority for the certificates of services, used by `standalone access certificates` and by tests.
//!
//! Production may use any other authority: a certificate needs one DNS name, and the usages of client and server.

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, Error, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::expiry::not_after;

/// The same for each authority, so that an authority is restored from its key.
const AUTHORITY_NAME: &str = "Stillpoint services";
const AUTHORITY_LIFE: Days = Days::new(3650);
const LIFE: Days = Days::new(90);
/// Clocks of machines differ.
const BACKDATED: Days = Days::new(1);

pub struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key, both in PEM.
pub struct Issued {
    pub certificate: String,
    pub key: String,
}

impl Authority {
    pub fn create(now: DateTime<Utc>) -> Result<Self, Error> {
        let key = KeyPair::generate()?;
        let mut params = authority_params();
        limit(&mut params, now, AUTHORITY_LIFE);
        Ok(Self {
            certificate: params.self_signed(&key)?.pem(),
            issuer: Issuer::new(params, key),
        })
    }

    /// The authority whose key is `key`; `certificate` is kept as it is.
    pub fn restore(certificate: String, key: &str) -> Result<Self, Error> {
        Ok(Self {
            certificate,
            issuer: Issuer::new(authority_params(), KeyPair::from_pem(key)?),
        })
    }

    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// `None` if the time cannot be read.
    pub fn expires_at(&self) -> Option<DateTime<Utc>> {
        let certificate = CertificateDer::from_pem_slice(self.certificate.as_bytes()).ok()?;
        not_after(&certificate)
    }

    pub fn key(&self) -> String {
        self.issuer.key().serialize_pem()
    }

    /// A certificate for `name` as client and server, for 90 days.
    pub fn issue(&self, name: &str, now: DateTime<Utc>) -> Result<Issued, Error> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new([name.to_owned()])?;
        params.distinguished_name = common_name(name);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        params.use_authority_key_identifier_extension = true;
        limit(&mut params, now, LIFE);
        Ok(Issued {
            certificate: params.signed_by(&key, &self.issuer)?.pem(),
            key: key.serialize_pem(),
        })
    }
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Issued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issued").finish_non_exhaustive()
    }
}

fn authority_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = common_name(AUTHORITY_NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn common_name(name: &str) -> DistinguishedName {
    let mut distinguished_name = DistinguishedName::new();
    distinguished_name.push(DnType::CommonName, name);
    distinguished_name
}

/// Whole days: more is not needed.
fn limit(params: &mut CertificateParams, now: DateTime<Utc>, life: Days) {
    let today = now.date_naive();
    let midnight = |day: NaiveDate| {
        let small = |number: u32| u8::try_from(number).unwrap_or(1);
        date_time_ymd(day.year(), small(day.month()), small(day.day()))
    };
    params.not_before = midnight(today.checked_sub_days(BACKDATED).unwrap_or(today));
    params.not_after = midnight(today.checked_add_days(life).unwrap_or(today));
}
