//! What content may publish and consume, and who may call it.

use kit::run::{Access, Caller};
use proto::content::v1::{content_service_server, editing_service_server};

pub const ACCESS: Access = Access {
    publishes: &["content"],
    consumers: &[],
    watches: &[],
    callers: &[
        Caller {
            name: "gateway",
            grpc_service: content_service_server::SERVICE_NAME,
            rpcs: &[
                "GetPage",
                "GetChrome",
                "ListPages",
                "GetRecord",
                "ListSamples",
                "GetPreview",
            ],
        },
        Caller {
            name: "editor",
            grpc_service: content_service_server::SERVICE_NAME,
            rpcs: &["PublishPage", "PublishChrome", "PublishRecord"],
        },
        Caller {
            name: "editor",
            grpc_service: editing_service_server::SERVICE_NAME,
            rpcs: &[
                "SaveDraft",
                "GetDraft",
                "ListDrafts",
                "DiscardDraft",
                "PublishDraft",
                "Unpublish",
                "ListVersions",
                "GetVersion",
                "DiffVersions",
                "RestoreVersion",
                "SchedulePublish",
                "CancelSchedule",
                "ListSchedules",
                "CreateRelease",
                "AddToRelease",
                "RemoveFromRelease",
                "GetRelease",
                "PublishRelease",
                "CreatePreview",
                "RevokePreview",
            ],
        },
    ],
};
