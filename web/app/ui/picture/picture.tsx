export interface PictureContent {
  url: string;
  alt: string;
  width: number | null;
  height: number | null;
}

interface PictureProps {
  image: PictureContent;
  className?: string;
  eager?: boolean;
}

export function Picture({ image, className, eager }: PictureProps) {
  return (
    <img
      src={image.url}
      alt={image.alt}
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      className={className}
    />
  );
}
