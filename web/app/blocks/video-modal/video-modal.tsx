import { useTexts } from "~/lib/i18n";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { Poster } from "~/ui/video/poster";
import { VideoDialog } from "~/ui/video/video-dialog";
import type { BlockProps } from "../registry";

export default function VideoModal({ block }: BlockProps<"VideoModal">) {
  const t = useTexts();
  return (
    <section className="wrap py-8 text-center md:py-12">
      <VideoDialog url={block.videoUrl} title={block.title}>
        {(open) => (
          <div className="mx-auto max-w-text space-y-6">
            {block.videoThumbnail && (
              <Poster
                label={t("video.play", { title: block.title })}
                image={block.videoThumbnail}
                seed={block.id}
                onClick={open}
              />
            )}
            <Button variant="secondary" aria-haspopup="dialog" onClick={open}>
              <Icon name="play" solid className="size-4" />
              {block.buttonText}
            </Button>
          </div>
        )}
      </VideoDialog>
    </section>
  );
}
