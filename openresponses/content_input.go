package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// An InputText is text given to the model.
type InputText struct {
	Text string `json:"text"`

	unknown *jsonx.Unknown
}

var inputTextFields = jsonx.NewObject(ContentTypeInputText,
	func(p *InputText) **jsonx.Unknown { return &p.unknown },
	jsonx.String("text", func(p *InputText) *string { return &p.Text }),
)

// ContentType returns ContentTypeInputText.
func (*InputText) ContentType() string { return ContentTypeInputText }

// MarshalJSON encodes the part.
func (p *InputText) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *InputText) appendJSON(dst []byte) ([]byte, error) { return inputTextFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *InputText) UnmarshalJSON(data []byte) error { return inputTextFields.Unmarshal(data, p) }

// An InputImage is an image given to the model, by URL (a data URL included) or by
// the ID of an uploaded file.
type InputImage struct {
	ImageURL string      `json:"image_url"`
	Detail   ImageDetail `json:"detail,omitempty"`
	FileID   string      `json:"file_id,omitempty"`

	unknown *jsonx.Unknown
}

var inputImageFields = jsonx.NewObject(ContentTypeInputImage,
	func(p *InputImage) **jsonx.Unknown { return &p.unknown },
	jsonx.String("image_url", func(p *InputImage) *string { return &p.ImageURL }),
	jsonx.StringOr("detail", ImageDetailAuto, func(p *InputImage) *ImageDetail { return &p.Detail }),
	jsonx.String("file_id", func(p *InputImage) *string { return &p.FileID }).OmitEmpty(),
)

// ContentType returns ContentTypeInputImage.
func (*InputImage) ContentType() string { return ContentTypeInputImage }

// MarshalJSON encodes the part; an empty detail is auto.
func (p *InputImage) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *InputImage) appendJSON(dst []byte) ([]byte, error) { return inputImageFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *InputImage) UnmarshalJSON(data []byte) error { return inputImageFields.Unmarshal(data, p) }

// An InputFile is a file given to the model, in one of three ways: as data, by URL
// or by the ID of an uploaded file.
type InputFile struct {
	Filename string `json:"filename,omitempty"`
	FileData string `json:"file_data,omitempty"`
	FileURL  string `json:"file_url,omitempty"`
	FileID   string `json:"file_id,omitempty"`

	unknown *jsonx.Unknown
}

var inputFileFields = jsonx.NewObject(ContentTypeInputFile,
	func(p *InputFile) **jsonx.Unknown { return &p.unknown },
	jsonx.String("filename", func(p *InputFile) *string { return &p.Filename }).OmitEmpty(),
	jsonx.String("file_data", func(p *InputFile) *string { return &p.FileData }).OmitEmpty(),
	jsonx.String("file_url", func(p *InputFile) *string { return &p.FileURL }).OmitEmpty(),
	jsonx.String("file_id", func(p *InputFile) *string { return &p.FileID }).OmitEmpty(),
)

// ContentType returns ContentTypeInputFile.
func (*InputFile) ContentType() string { return ContentTypeInputFile }

// MarshalJSON encodes the part.
func (p *InputFile) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *InputFile) appendJSON(dst []byte) ([]byte, error) { return inputFileFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *InputFile) UnmarshalJSON(data []byte) error { return inputFileFields.Unmarshal(data, p) }

// An InputVideo is a video given to the model by URL.
type InputVideo struct {
	VideoURL string `json:"video_url"`

	unknown *jsonx.Unknown
}

var inputVideoFields = jsonx.NewObject(ContentTypeInputVideo,
	func(p *InputVideo) **jsonx.Unknown { return &p.unknown },
	jsonx.String("video_url", func(p *InputVideo) *string { return &p.VideoURL }),
)

// ContentType returns ContentTypeInputVideo.
func (*InputVideo) ContentType() string { return ContentTypeInputVideo }

// MarshalJSON encodes the part.
func (p *InputVideo) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *InputVideo) appendJSON(dst []byte) ([]byte, error) { return inputVideoFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *InputVideo) UnmarshalJSON(data []byte) error { return inputVideoFields.Unmarshal(data, p) }
